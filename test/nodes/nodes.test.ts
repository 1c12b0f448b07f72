import { exactlyOnceTests } from './exactly-once-tests.ts';
import { type ClusterSize, NodeCluster } from './node-cluster.ts';
import { sharedStateTests } from './shared-state-tests.ts';

// The compiled command on one PostgreSQL, as two commands with two workers each. With PROVE_NODES=1 also as one command with 2 and 4 workers,
// as two commands with 1 and 4 workers, and everything five times.

const isThorough = process.env['PROVE_NODES'] !== undefined;
const sizes: ClusterSize[] = [{ commands: 2, workers: 2 }];
if (isThorough)
  sizes.push({ commands: 1, workers: 2 }, { commands: 1, workers: 4 }, { commands: 2, workers: 1 }, { commands: 2, workers: 4 });
const rounds = isThorough ? 5 : 1;

for (const size of sizes)
  for (let round = 1; round <= rounds; round += 1)
    describe(`${size.commands} commands with ${size.workers} workers each on one PostgreSQL`, function () {
      let cluster: NodeCluster;
      before(async () => {
        cluster = await NodeCluster.start(size);
      });
      after(() => cluster.stop());
      describe('sharing limits and settings', () => sharedStateTests(() => cluster));
      // In a suite of its own: its hook switches the limits off.
      describe('under concurrent writes', () => exactlyOnceTests(() => cluster));
    });
