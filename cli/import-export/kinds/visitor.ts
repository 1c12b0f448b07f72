import type { HashVisitor } from '../../../domain/clicks/visitor.ts';
import { text } from '../fields.ts';

export const visitor = text(200);

const mark = 'hashed:';
const hashed = /^hashed:([\w-]{43})$/;

/**
 * The shop's own id of a visitor is nowhere kept, so a file that was exported has its hash, marked as one. Where the master key is the
 * same, the visitor's next order still finds the click.
 */
export const writtenVisitor = (visitorHash: string): string => mark + visitorHash;

export const takingHashes =
  (hash: HashVisitor): HashVisitor =>
  (given) =>
    hashed.exec(given)?.[1] ?? hash(given);
