// What may open above any page: one file, since each is small.
export { default as SessionOver } from '../access/over.tsx';
export { default as KeyHelp } from './key-help.tsx';
export { default as Palette } from './palette.tsx';
