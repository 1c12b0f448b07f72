import { asWritten, attempt, inWords, type Report } from '../extension/failure.ts';
import { isPart, type OpenApiDocument } from './openapi.ts';

/** The site's own changes to the document. It gets a copy and gives back a whole document. */
export type Amend = (document: OpenApiDocument) => OpenApiDocument;

/** The amended document; or, when the site's module failed, the document as it was, with the failure reported. */
export function amended(document: OpenApiDocument, amend: Amend, report: Report): OpenApiDocument {
  const member = 'amendOpenapi';
  const attempted = attempt(member, () => asWritten(amend(structuredClone(document))), report);
  if (!attempted) return document;
  if (isOpenApi(attempted.answer)) return attempted.answer;
  report({ member, problem: `gave ${inWords(attempted.answer)} instead of an OpenAPI 3.1 document with info and paths` });
  return document;
}

function isOpenApi(answer: unknown): answer is OpenApiDocument {
  if (!isPart(answer) || !/^3\.1\.\d+$/.test(String(answer.openapi))) return false;
  const { info, paths } = answer;
  return isPart(info) && typeof info.title === 'string' && typeof info.version === 'string' && isPart(paths);
}
