import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Application } from '../../domain/registrations/application.ts';
import { submitApplication } from '../../domain/registrations/submit.ts';
import { type Eml, parseEml } from './eml.ts';
import type { TestService } from './service.ts';

export const march = Date.parse('2026-03-01T17:20:00Z');

/** The applicant of the contract's examples. */
export const trail: Application = {
  login: 'trailnotes',
  email: 'hello@trailnotes.example',
  displayName: 'Trail Notes',
  couponCode: 'TRAIL10',
  promote: 'Gear reviews and a monthly newsletter',
  referrer: 'Summit Weekly',
  website: 'https://trailnotes.example',
  customFields: { newsletter_readers: 4200 },
  at: march,
};

/** Submits an application as a store would, and returns its id. */
export async function submit({ storage, settings, clock }: TestService, application: Partial<Application> = {}): Promise<number> {
  const { timezone: zone } = (await settings.current()).store;
  const context = { program: { zone }, now: clock.now() };
  const { registration } = await storage.write((transaction) => submitApplication(transaction, { ...trail, ...application }, context));
  return registration.id;
}

/** Sends everything that is due, and returns all sent mails, oldest first. */
export async function mailsOf(service: TestService): Promise<Eml[]> {
  await service.work();
  const folder = path.join(service.dataDir, 'mail');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const numbers = names.map((name) => Number.parseInt(name, 10)).toSorted((one, other) => one - other);
  return numbers.map((number) => parseEml(readFileSync(path.join(folder, `${number}.eml`), 'utf8')));
}
