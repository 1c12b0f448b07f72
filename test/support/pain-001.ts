// Checks files against the documented structure of ISO 20022 pain.001.001.09 and the rules of the SEPA credit transfer. Shares no code
// with the writer. Every list of children is the whole sequence of the message definition, so that order is checked for all of them.

interface XmlElement {
  name: string;
  attributes: string;
  text: string;
  children: XmlElement[];
}

/** Throws if elements are not nested correctly. */
function parseXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: '', text: '', children: [] };
  const stack = [root];
  for (const [, close, name = '', attributes = '', text = ''] of xml.matchAll(/<(\/?)(\w+)([^>]*)>([^<]*)/g)) {
    if (close) {
      if (stack.pop()?.name !== name) throw new Error(`</${name}> closes another element.`);
    } else {
      const element = { name, attributes: attributes.trim(), text: decode(text.trim()), children: [] };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    }
  }
  const [document] = root.children;
  if (stack.length !== 1 || !document || root.children.length !== 1) throw new Error('The file has not exactly one root element.');
  return document;
}

const decode = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&');

/** Children in their order: `Nm` exactly one, `Nm?` at most one, `Nm*` any number, `Nm+` at least one. */
const sequences: Record<string, string> = {
  Document: 'CstmrCdtTrfInitn',
  CstmrCdtTrfInitn: 'GrpHdr PmtInf+ SplmtryData*',
  GrpHdr: 'MsgId CreDtTm Authstn* NbOfTxs CtrlSum? InitgPty FwdgAgt? InitnSrc?',
  InitgPty: 'Nm? PstlAdr? Id? CtryOfRes? CtctDtls?',
  PmtInf:
    'PmtInfId PmtMtd ReqdAdvcTp? BtchBookg? NbOfTxs? CtrlSum? PmtTpInf? ReqdExctnDt PoolgAdjstmntDt? Dbtr DbtrAcct DbtrAgt DbtrAgtAcct? InstrForDbtrAgt? UltmtDbtr? ChrgBr? ChrgsAcct? ChrgsAcctAgt? CdtTrfTxInf+',
  PmtTpInf: 'InstrPrty? SvcLvl* LclInstrm? CtgyPurp?',
  SvcLvl: 'Cd',
  ReqdExctnDt: 'Dt',
  Dbtr: 'Nm? PstlAdr? Id? CtryOfRes? CtctDtls?',
  Cdtr: 'Nm? PstlAdr? Id? CtryOfRes? CtctDtls?',
  PstlAdr: 'AdrTp? Dept? SubDept? StrtNm? BldgNb? BldgNm? Flr? PstBx? Room? PstCd? TwnNm? TwnLctnNm? DstrctNm? CtrySubDvsn? Ctry? AdrLine*',
  DbtrAcct: 'Id Tp? Ccy? Nm? Prxy?',
  CdtrAcct: 'Id Tp? Ccy? Nm? Prxy?',
  'DbtrAcct/Id': 'IBAN',
  'CdtrAcct/Id': 'IBAN',
  DbtrAgt: 'FinInstnId BrnchId?',
  CdtrAgt: 'FinInstnId BrnchId?',
  FinInstnId: 'BICFI? ClrSysMmbId? LEI? Nm? PstlAdr? Othr?',
  Othr: 'Id SchmeNm? Issr?',
  CdtTrfTxInf:
    'PmtId PmtTpInf? Amt XchgRateInf? ChrgBr? MndtRltdInf? ChqInstr? UltmtDbtr? IntrmyAgt1? IntrmyAgt1Acct? IntrmyAgt2? IntrmyAgt2Acct? IntrmyAgt3? IntrmyAgt3Acct? CdtrAgt? CdtrAgtAcct? Cdtr? CdtrAcct? UltmtCdtr? InstrForCdtrAgt* InstrForDbtrAgt? Purp? RgltryRptg* Tax? RltdRmtInf* RmtInf? SplmtryData*',
  PmtId: 'InstrId? EndToEndId UETR?',
  Amt: 'InstdAmt',
  RmtInf: 'Ustrd* Strd*',
};

/** A text of the SEPA character set, which neither begins nor ends with a slash nor contains two in a row. */
const sepaText = (length: number) => (text: string) =>
  text.length <= length && /^[A-Za-z0-9/\-?:().,'+ ]+$/.test(text) && !/^\/|\/$|\/\//.test(text);
const matches = (pattern: RegExp) => (text: string) => pattern.test(text);
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

/** ISO 13616: the first four characters moved to the end, letters as numbers, modulo 97. */
function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d\d[A-Z0-9]{1,30}$/.test(text)) return false;
  const digits = [...`${text.slice(4)}${text.slice(0, 4)}`].map((character) => Number.parseInt(character, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

const texts: Record<string, (text: string) => boolean> = {
  MsgId: sepaText(35),
  PmtInfId: sepaText(35),
  EndToEndId: sepaText(35),
  CreDtTm: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/),
  NbOfTxs: matches(/^[0-9]{1,15}$/),
  CtrlSum: matches(/^\d{1,16}\.\d\d$/),
  PmtMtd: matches(/^TRF$/),
  BtchBookg: matches(/^(true|false)$/),
  Cd: matches(/^SEPA$/),
  Dt: isDay,
  ChrgBr: matches(/^SLEV$/),
  Nm: sepaText(70),
  StrtNm: sepaText(70),
  PstCd: sepaText(16),
  TwnNm: sepaText(35),
  Ctry: matches(/^[A-Z]{2}$/),
  IBAN: isIban,
  BICFI: matches(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/),
  'Othr/Id': matches(/^NOTPROVIDED$/),
  InstdAmt: (text) => /^\d{1,9}\.\d\d$/.test(text) && Number(text) >= 0.01,
  Ustrd: sepaText(140),
};

/** Elements that the schema leaves optional and SEPA needs, by parent. */
const needed: Record<string, string[]> = {
  GrpHdr: ['CtrlSum'],
  PmtInf: ['NbOfTxs', 'CtrlSum', 'PmtTpInf', 'ChrgBr'],
  PmtTpInf: ['SvcLvl'],
  Dbtr: ['Nm', 'PstlAdr'],
  CdtTrfTxInf: ['Cdtr', 'CdtrAcct'],
  Cdtr: ['Nm', 'PstlAdr'],
  PstlAdr: ['TwnNm', 'Ctry'],
};

/** What is wrong with a SEPA file, each with the path of its element. Empty for a valid one. */
export function findSepaFaults(xml: string): string[] {
  if (!xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')) return ['The XML declaration is missing.'];
  const document = parseXml(xml);
  if (document.attributes !== 'xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"') return ['The namespace is another one.'];
  const faults = checkElement(document, document.name);
  return faults.length > 0 ? faults : checkFigures(document);
}

function checkElement(element: XmlElement, path: string): string[] {
  const names = path.split('/').slice(-2).join('/');
  const sequence = sequences[names] ?? sequences[element.name];
  if (sequence !== undefined) {
    const missing = (needed[element.name] ?? []).filter((name) => !element.children.some((child) => child.name === name));
    return [
      ...checkOrder(element, sequence, path),
      ...missing.map((name) => `${path} has no ${name}`),
      ...element.children.flatMap((child) => checkElement(child, `${path}/${child.name}`)),
    ];
  }
  const isValid = texts[names] ?? texts[element.name];
  if (!isValid) return [`${path} is not expected`];
  const isCurrencyRight = element.name === 'InstdAmt' ? element.attributes === 'Ccy="EUR"' : element.attributes === '';
  return element.children.length === 0 && isCurrencyRight && isValid(element.text) ? [] : [`${path} is "${element.text}"`];
}

/** The names as one text, which the sequence as a regular expression must match. */
function checkOrder({ children }: XmlElement, sequence: string, path: string): string[] {
  const pattern = sequence.replaceAll(/(\w+)([?*+]?) ?/g, '(?:$1 )$2');
  const actual = children.map(({ name }) => `${name} `).join('');
  return new RegExp(`^${pattern}$`).test(actual) ? [] : [`${path} has ${actual.trim()}`];
}

const findAll = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);
const textOf = (element: XmlElement | undefined, name: string): string =>
  element?.children.find((child) => child.name === name)?.text ?? '';
const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** Counts and control sums of the header and of each payment information, and ids that are used once. */
function checkFigures(document: XmlElement): string[] {
  const check = (holder: XmlElement | undefined, payments: XmlElement): string[] => {
    const amounts = findAll(payments, 'InstdAmt').map(({ text }) => cents(text));
    const sum = amounts.reduce((total, amount) => total + amount, 0n);
    return [
      ...(textOf(holder, 'NbOfTxs') === String(amounts.length) ? [] : [`${holder?.name}/NbOfTxs is not ${amounts.length}`]),
      ...(cents(textOf(holder, 'CtrlSum')) === sum ? [] : [`${holder?.name}/CtrlSum is not ${sum} cents`]),
    ];
  };
  const ids = [...findAll(document, 'EndToEndId'), ...findAll(document, 'PmtInfId')].map(({ text }) => text);
  return [
    ...check(findAll(document, 'GrpHdr')[0], document),
    ...findAll(document, 'PmtInf').flatMap((information) => check(information, information)),
    ...(new Set(ids).size === ids.length ? [] : ['An identifier is used twice']),
  ];
}
