// Runs a peer as several processes on one port: cluster.mjs <file> <processes>.
import cluster from 'node:cluster';
import { printListening } from './job.mjs';

const [exec, count] = process.argv.slice(2);
cluster.setupPrimary({ exec, args: [] });

const startWorker = () =>
  new Promise((resolve, reject) => {
    const worker = cluster.fork();
    worker.once('message', resolve);
    worker.once('exit', () => reject(new Error('A worker ended before it listened.')));
  });

process.once('SIGTERM', () => {
  for (const worker of Object.values(cluster.workers)) worker.process.kill();
  process.exit();
});

// One first, which creates what it needs in the database.
const address = await startWorker();
await Promise.all(Array.from({ length: Number(count) - 1 }, startWorker));
printListening(address);
