import type { ComponentChildren } from 'preact';

/** The first of the signs that stand for names while a sentence is made; no catalogue has them. */
const FIRST = 0xe000;

/** A sentence with names that people wrote, each in an element of its own: signs in it turn round no word beside it. */
export const naming = (sentence: (...names: string[]) => string, ...names: string[]): ComponentChildren =>
  sentence(...names.map((_name, at) => String.fromCharCode(FIRST + at)))
    .split(/([\ue000-\ue0ff])/)
    .map((part, at) => (at % 2 === 1 ? <bdi key={at}>{names[part.charCodeAt(0) - FIRST]}</bdi> : part));
