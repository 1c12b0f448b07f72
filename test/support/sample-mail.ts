import type { Mail } from '../../domain/mail/mail.ts';

export const sampleMail = (changes: Partial<Mail> = {}): Mail => ({
  id: 7,
  from: { name: 'Fjell & Sønner', address: 'no-reply@fjell.example' },
  to: { name: 'Trail Notes', address: 'hello@trailnotes.example' },
  subject: 'Fjell & Sønner: your application was accepted 🎿',
  text: 'Hello Trail Notes,\n\n.\nZażółć gęślą jaźń.\n',
  html: '<p>Hello Trail Notes,</p>\n<p>Zażółć gęślą jaźń.</p>\n',
  createdAt: Date.parse('2026-11-02T07:00:00Z'),
  ...changes,
});
