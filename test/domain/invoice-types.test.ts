import { expect } from 'chai';
import { detectInvoiceType } from '../../domain/invoices/file-type.ts';
import { buildPdf, commonInvoices } from '../support/invoices.ts';

describe('the type of an invoice', () => {
  it('is known for complete files as common programs write them', () => {
    expect(commonInvoices.length).to.be.at.least(30);
    const found = commonInvoices.map(([title, , bytes]) => [title, detectInvoiceType(bytes)]);
    expect(found).to.deep.equal(commonInvoices.map(([title, type]) => [title, type]));
  });

  it('is none for a JPEG that breaks off, and for a PDF that breaks off or is a part of something else', () => {
    for (const [title, type, bytes] of commonInvoices)
      if (type === 'image/jpeg') expect(detectInvoiceType(bytes.subarray(0, bytes.lastIndexOf('ffd9', 'hex'))), title).to.equal(null);
    const others = [
      buildPdf().subarray(0, 100),
      buildPdf({ tail: '\n7 0 obj\n<< /Type /Annot' }),
      buildPdf({ tail: ' '.repeat(9) + 'x'.repeat(1025) }),
      buildPdf({ before: 'x'.repeat(1025) }),
      buildPdf({ before: '<?xml version="1.0"?>' }),
      buildPdf({ before: '<html>' }),
      buildPdf({ tail: '<script>' }),
      ...['<img src=x onerror=alert(1)>', 'PK\x03\x04', 'MZ\x90', 'GIF89a', '#!/bin/sh\n'].map((before) => buildPdf({ before })),
      buildPdf({ before: '--form\r\n\r\n', tail: '\r\n--form--' }),
    ];
    expect(others.map(detectInvoiceType)).to.deep.equal(others.map(() => null));
  });
});
