import { wordsOf } from '../i18n/index.ts';
import de from './de.ts';
import en from './en.ts';

export const words = wordsOf({ en, de });
