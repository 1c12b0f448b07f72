import { doOnce } from './do-once.ts';
import { holdTogether } from './hold-together.ts';
import { type Arrangement, Nodes } from './nodes.ts';

// The compiled command on one PostgreSQL, as 4 workers, and as two commands beside each other. With PROVE_NODES=1 also as 2 workers, as two
// commands of 4 workers each, and everything five times.

const isThorough = process.env['PROVE_NODES'] !== undefined;
const usual: Arrangement[] = [
  { commands: 1, workers: 4 },
  { commands: 2, workers: 1 },
];
const more: Arrangement[] = [
  { commands: 1, workers: 2 },
  { commands: 2, workers: 4 },
];
const rounds = isThorough ? 5 : 1;

for (const arrangement of isThorough ? [...usual, ...more] : usual)
  for (let round = 1; round <= rounds; round += 1)
    describe(`${arrangement.commands * arrangement.workers} processes of ${arrangement.commands} command(s) on one PostgreSQL`, function together() {
      this.timeout(60_000);
      let nodes: Nodes;
      before(async () => {
        nodes = await Nodes.start(arrangement);
      });
      after(() => nodes.stop());
      describe('hold together: they', () => holdTogether(() => nodes));
      describe('do once what is to be done once: they', () => doOnce(() => nodes));
    });
