import { existsSync, readFileSync, statSync } from 'node:fs';

/** Which process has locked a database against writers, in words. Linux lists all locks, by the number of the file. */
export function describeLockHolder(databasePath: string): string {
  const files = [databasePath, `${databasePath}-shm`].filter((file) => existsSync(file)).map((file) => `:${statSync(file).ino}`);
  const locks = existsSync('/proc/locks') ? readFileSync('/proc/locks', 'utf8').split('\n') : [];
  const pids = locks
    .map((line) => line.split(/\s+/))
    .flatMap(([, , , mode, pid, file = '']) => (mode === 'WRITE' && files.some((inode) => file.endsWith(inode)) ? [pid] : []));
  return pids[0] === undefined ? 'another process' : `process ${pids[0]}`;
}
