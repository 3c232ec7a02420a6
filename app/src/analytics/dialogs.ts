// Parts that are opened in pages of statistics, and above them: one file, since each is small.
export { ReportDialog } from '../reports/form.tsx';
export { ReportList } from '../reports/rows.tsx';
export { Chips } from './chips.tsx';
export { DaysDialog } from './days.tsx';
export { FilterDialog } from './filter.tsx';
export { Hours } from './hours.tsx';
export { Notes } from './notes.tsx';
export { Points } from './points.tsx';
export { WorldMap } from './world-map.tsx';
