import type { AddedFields } from '../document/added-fields.ts';
import { isJsonObject, type JsonObject } from '../document/openapi.ts';
import { describeValue, type ReportFailure, toJson, tryCall } from './failure.ts';
import type { Presenters, RecordName } from './site-module.ts';

/** The record with the site's own fields behind it, as far as the served document declares them. */
export type PresentRecord = <Given extends object>(name: RecordName, record: Given, declared: AddedFields) => Given;

export function guardPresenters(presenters: Presenters, report: ReportFailure): PresentRecord {
  const told = new Set<string>();
  const reportOnce = (member: string, field: string): void => {
    // A page has a hundred records; the log needs one line.
    if (told.has(`${member}.${field}`)) return;
    told.add(`${member}.${field}`);
    report({ member, problem: `added ${field}, which amendOpenapi does not declare; it is left out` });
  };
  return (name, record, declared) => {
    const presenter = presenters[name] as ((record: unknown) => unknown) | undefined;
    if (!presenter) return record;
    const member = `present.${name}`;
    const fields = Object.entries(fieldsFrom(member, () => presenter.call(presenters, structuredClone(record)), report));
    const isDeclared = ([field]: [string, unknown]): boolean => declared.get(name)?.has(field) ?? false;
    for (const [field] of fields.filter((entry) => !isDeclared(entry))) reportOnce(member, field);
    return { ...record, ...Object.fromEntries(fields.filter(isDeclared)) };
  };
}

/** An empty object when the site's module failed: the record then goes out as the service made it. */
function fieldsFrom(member: string, call: () => unknown, report: ReportFailure): JsonObject {
  const attempted = tryCall(member, () => toJson(call()), report);
  if (!attempted) return {};
  if (isJsonObject(attempted.answer) && !(attempted.answer instanceof Promise)) return attempted.answer;
  report({ member, problem: `gave ${describeValue(attempted.answer)} instead of an object of fields` });
  return {};
}
