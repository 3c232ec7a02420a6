// What is opened above lists and pages of links, or concerns many of them: one file, since each is small.
export { Bookmarklet } from './bookmarklet.tsx';
export { MoreFields } from './form-fields.tsx';
export { default as LinkDialog } from './link-dialog.tsx';
export { default as MoreFilters } from './more-filters.tsx';
export { default as NewMany } from './new-many.tsx';
export { Ready } from './ready.tsx';
export { default as Selection } from './selection.tsx';
