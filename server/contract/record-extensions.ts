import type { OperationId } from '../../generated/operations.ts';
import type { HandlerResponse } from '../../handlers/contract-types.ts';
import { type AddedFields, findAddedFields } from '../../site/document/added-fields.ts';
import { isJsonObject, type OpenApiDocument } from '../../site/document/openapi.ts';
import { findRecordsInResponses, type RecordLocations } from '../../site/document/record-places.ts';
import type { SiteExtension } from '../../site/extension.ts';
import type { Settings } from '../../site/settings/settings.ts';

/** A handler's reply with the site's own fields in it. */
export type Presentation = (
  operationId: OperationId,
  reply: HandlerResponse<OperationId>,
  settings: Settings,
) => HandlerResponse<OperationId>;

interface Parts {
  bundle: OpenApiDocument;
  site: Pick<SiteExtension, 'present' | 'presented'>;
  /** The amended document, which declares the fields. */
  documentOf(settings: Settings): OpenApiDocument;
}

export function presentation({ bundle, site, documentOf }: Parts): Presentation {
  if (site.presented.size === 0) return (_operationId, reply) => reply;
  const answers = findRecordsInResponses(bundle, site.presented);
  const declaredBy = new WeakMap<Settings, AddedFields>();
  const declaredIn = (settings: Settings): AddedFields => {
    const declared = declaredBy.get(settings) ?? findAddedFields(bundle, documentOf(settings));
    declaredBy.set(settings, declared);
    return declared;
  };
  return (operationId, reply, settings) => {
    const places = answers.get(`${operationId} ${reply.status}`);
    if (!places) return reply;
    const body = presented(reply.body, places, { present: site.present, declared: declaredIn(settings) });
    // Not cacheable: nobody knows what a presenter looks at, it may well be the clock.
    return { ...reply, body, cacheable: false } as HandlerResponse<OperationId>;
  };
}

interface Presenting {
  present: SiteExtension['present'];
  declared: AddedFields;
}

function presented(value: unknown, places: RecordLocations, presenting: Presenting): unknown {
  const { record, items, fields } = places;
  if (Array.isArray(value)) return items ? value.map((item) => presented(item, items, presenting)) : value;
  if (!isJsonObject(value)) return value;
  // From the value as the handler made it: each presenter sees the contract's record, without what others added inside of it.
  const inner = fields
    .filter(([name]) => name in value)
    .map(([name, within]) => [name, presented(value[name], within, presenting)] as const);
  return { ...(record ? presenting.present(record, value, presenting.declared) : value), ...Object.fromEntries(inner) };
}
