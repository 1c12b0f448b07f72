import { dictionary } from '@zxcvbn-ts/language-common';

/** In lower case. Half a megabyte of source: import it on demand. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);
