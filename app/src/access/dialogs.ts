// What asks the user for something above any page: one file, since each is small.
export { default as Proof } from './proof.tsx';
export { default as SessionOver } from './over.tsx';
export { default as Unproved } from './unproved.tsx';
