import { migration } from './migration.ts';

export const createLogos = migration('create-logos-2026111800017', (run) =>
  run(`
    create table logos (
      id bigint primary key check (id = 1),
      sha256 text not null,
      png text not null
    )`),
);
