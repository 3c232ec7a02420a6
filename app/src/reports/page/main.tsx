// The script of `report.html`, the public page of a report: it knows no session.
import { render } from 'preact';
import { language } from './language.ts';
import { ReportPage } from './page.tsx';

document.documentElement.lang = language;
render(<ReportPage isEmbedded={self !== top} />, document.getElementById('app')!);
