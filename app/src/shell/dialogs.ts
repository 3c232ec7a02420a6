// What may open above any page: one file, since each is small.
export { default as KeyHelp } from './key-help.tsx';
export { default as Palette } from './palette.tsx';
export { default as Switcher } from '../members/switcher.tsx';
