import { ApiError } from '../errors.ts';
import { exceedsJson } from '../json-values.ts';
import { isEmailAddress, isLogin, isWebsite } from '../users/user.ts';
import type { NewRegistration } from './registration.ts';

/** An application as the store sends it. Fields that its form does not have are left out. */
export interface Application {
  id?: number | undefined;
  login: string;
  email: string;
  displayName: string;
  couponCode?: string | undefined;
  promote?: string | undefined;
  referrer?: string | undefined;
  website?: string | undefined;
  type?: string | undefined;
  customFields?: Record<string, unknown> | undefined;
  /** When it was sent. Not given: now. */
  at?: number | undefined;
  isOnline?: boolean;
}

type Rule = (application: Application) => string | false;

const controls = /[\p{Cc}\u2028\u2029]/u;
const isLine = (text: string, longest: number): boolean => text === text.trim() && text.length <= longest && !controls.test(text);
const longText = 5000;
/** A page has a hundred applications. */
const mostValues = 500;
const highestId = 1_000_000_000_000;

/** With the field names of the import file, which the refusals mention. */
const rules: Record<string, Rule> = {
  // Ids go on from the highest, so one near the end of the exact numbers would be the last.
  id: ({ id = 1 }) => !(Number.isSafeInteger(id) && id > 0 && id <= highestId) && `must be a whole number from 1 to ${highestId}`,
  login: ({ login }) => !isLogin(login) && 'must be 1 to 60 letters, digits or any of . _ @ -',
  email: ({ email }) => !isEmailAddress(email) && 'must be an email address, such as ada@example.com',
  display_name: ({ displayName }) => !(isLine(displayName, 200) && displayName !== '') && 'must be 1 to 200 characters on one line',
  coupon_code: ({ couponCode = '' }) => !isLine(couponCode, 100) && 'must be at most 100 characters on one line',
  type: ({ type = '' }) => !isLine(type, 100) && 'must be at most 100 characters on one line',
  promote: ({ promote = '' }) => isTooLong(promote) && `must be at most ${longText} characters`,
  referrer: ({ referrer = '' }) => isTooLong(referrer) && `must be at most ${longText} characters`,
  website: ({ website = '' }) => !(isWebsite(website) && website.length <= 2000) && 'must be an http or https address',
  custom_fields: ({ customFields = {} }) => {
    const json = JSON.stringify(customFields);
    if (json.length > 50_000) return 'must not be longer than 50000 characters as JSON';
    return exceedsJson(json, mostValues) && `must not have more than ${mostValues} values`;
  },
  date: ({ at = 0 }) => !Number.isSafeInteger(at) && 'must be a moment',
};

/** PostgreSQL cannot keep a NUL. */
const isTooLong = (text: string): boolean => text.length > longText || text.includes('\0');

/** @throws naming every field that will not do. */
export function validateApplication(application: Application, now: number): Omit<NewRegistration, 'userId'> {
  const params = Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) => {
      const fault = rule(application);
      return fault ? [[name, `${name} ${fault}.`]] : [];
    }),
  );
  const [first] = Object.values(params);
  if (first !== undefined) throw new ApiError('rest_invalid_param', { message: first, data: { params } });
  const { login, email, displayName, couponCode = '', promote = '', referrer = '', website = '', type = 'affiliate' } = application;
  const { customFields = {}, at: createdAt = now, isOnline = false } = application;
  return { login, email, displayName, couponCode, promote, referrer, website, type, customFields, createdAt, isOnline };
}
