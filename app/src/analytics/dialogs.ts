// What is opened above pages of statistics: one file, since each is small.
export { Chips } from './chips.tsx';
export { DaysDialog } from './days.tsx';
export { FilterDialog } from './filter.tsx';
