import type { HashVisitor } from '../../domain/clicks/visitor.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import type { Program } from '../../domain/program.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Secrets } from '../../domain/secrets.ts';
import type { Calendar } from './calendar.ts';
import type { Chance } from './random.ts';

/** What the demo store is made with. */
export interface Surroundings {
  storage: UnitOfWork;
  program: Program;
  calendar: Calendar;
  chance: Chance;
  random: SecureRandom;
  secrets: Secrets;
  hashVisitor: HashVisitor;
}
