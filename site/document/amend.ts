import { describeValue, type ReportFailure, toJson, tryCall } from '../extension/failure.ts';
import { isJsonObject, type OpenApiDocument } from './openapi.ts';

/** The site's own changes to the document. It gets a copy and gives back a whole document. */
export type AmendDocument = (document: OpenApiDocument) => OpenApiDocument;

/** The amended document; or, when the site's module failed, the document as it was, with the failure reported. */
export function applyAmendment(document: OpenApiDocument, amend: AmendDocument, report: ReportFailure): OpenApiDocument {
  const member = 'amendOpenapi';
  const attempted = tryCall(member, () => toJson(amend(structuredClone(document))), report);
  if (!attempted) return document;
  if (isOpenApi(attempted.answer)) return attempted.answer;
  report({ member, problem: `gave ${describeValue(attempted.answer)} instead of an OpenAPI 3.1 document with info and paths` });
  return document;
}

function isOpenApi(answer: unknown): answer is OpenApiDocument {
  if (!isJsonObject(answer) || !/^3\.1\.\d+$/.test(String(answer.openapi))) return false;
  const { info, paths } = answer;
  return isJsonObject(info) && typeof info.title === 'string' && typeof info.version === 'string' && isJsonObject(paths);
}
