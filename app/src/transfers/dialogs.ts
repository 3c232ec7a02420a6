// What is opened above pages of links and domains.
export { GiveDialog } from './give.tsx';
