// What is opened above lists and pages of links: one file, since each is small.
export { default as EditAllDialog } from './edit-all.tsx';
export { default as LinkDialog } from './link-dialog.tsx';
export { default as MoreFilters } from './more-filters.tsx';
