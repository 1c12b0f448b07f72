import type { Program } from '../program.ts';

/** The program's rules, the time, and the acting user (0 for the system). */
export interface ChangeContext {
  program: Program;
  now: number;
  userId: number;
}
