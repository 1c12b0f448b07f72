export const maxEmailLength = 254;

/** Mail can be sent to it: one `@`, a host name with a dot, and no character that has a meaning in a mail header. */
const emailPattern = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:".\p{Cc}]+(\.[^\s@<>()[\]\\,;:".\p{Cc}]+)+$/u;

/** The one rule for e-mail addresses: of applications, of users that the command line or an import creates, and of mail recipients. */
export const isEmailAddress = (text: string): boolean => text.length <= maxEmailLength && emailPattern.test(text);
