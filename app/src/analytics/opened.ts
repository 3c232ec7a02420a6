// Parts of pages of statistics that are there for who asks for them.
import { onDemand } from '../shell/lazy.tsx';

export const WorldMap = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.WorldMap, 'reportForms');
export const Notes = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.Notes, 'reportForms');
export const Hours = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.Hours, 'reportForms');
export const ReportDialog = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.ReportDialog, 'reportForms');
export const Points = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.Points, 'reportForms');
