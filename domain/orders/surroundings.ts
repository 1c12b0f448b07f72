import type { Program } from '../program.ts';

/** What a change of orders happens in: the rules of the program, the moment, and who brought it about (0 for the system). */
export interface Surroundings {
  program: Program;
  now: number;
  userId: number;
}
