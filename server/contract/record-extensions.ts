import type { OperationId } from '../../generated/operations.ts';
import type { HandlerResponse } from '../../handlers/contract-types.ts';
import { isJsonObject, type OpenApiDocument } from '../../site/document/openapi.ts';
import { type AddedFields, findAddedFields, findRecordsInResponses, type RecordLocations } from '../../site/document/record-fields.ts';
import type { SiteExtension } from '../../site/extension.ts';
import type { Settings } from '../../site/settings/settings.ts';

/** Adds the site module's own fields to the records in a handler's response. */
export type ExtendResponse = (
  operationId: OperationId,
  response: HandlerResponse<OperationId>,
  settings: Settings,
) => HandlerResponse<OperationId>;

interface ExtendResponseParts {
  bundle: OpenApiDocument;
  site: Pick<SiteExtension, 'present' | 'presented'>;
  /** The amended document, which declares the fields. */
  getDocument(settings: Settings): OpenApiDocument;
}

export function createExtendResponse({ bundle, site, getDocument }: ExtendResponseParts): ExtendResponse {
  if (site.presented.size === 0) return (_operationId, response) => response;
  const records = findRecordsInResponses(bundle, site.presented);
  const fieldsBySettings = new WeakMap<Settings, AddedFields>();
  const declaredFields = (settings: Settings): AddedFields => {
    const declared = fieldsBySettings.get(settings) ?? findAddedFields(bundle, getDocument(settings));
    fieldsBySettings.set(settings, declared);
    return declared;
  };
  return (operationId, response, settings) => {
    const locations = records.get(`${operationId} ${response.status}`);
    if (!locations) return response;
    const body = extendRecords(response.body, locations, { present: site.present, declared: declaredFields(settings) });
    // Not cacheable: a presenter may depend on anything, such as the clock.
    return { ...response, body, cacheable: false } as HandlerResponse<OperationId>;
  };
}

interface Presenter {
  present: SiteExtension['present'];
  declared: AddedFields;
}

function extendRecords(value: unknown, { record, items, fields }: RecordLocations, presenter: Presenter): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => extendRecords(item, items, presenter)) : value;
  if (!isJsonObject(value)) return value;
  // From the handler's own value: each presenter sees the contract's record, without fields that others added inside of it.
  const inner = fields
    .filter(([name]) => name in value)
    .map(([name, locations]) => [name, extendRecords(value[name], locations, presenter)] as const);
  return { ...(record ? presenter.present(record, value, presenter.declared) : value), ...Object.fromEntries(inner) };
}
