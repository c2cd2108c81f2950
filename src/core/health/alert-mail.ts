import { conditionSentence, conditionSubject, conditionTitles } from './rules/condition-words.ts';
import type { LocalizedText } from '../base/localized-text.ts';
import type { Mailer, MailMessage } from '../people/rules/mailer.ts';
import { nextAttemptAt } from '../base/pacing/retry-schedule.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import { type ClaimedEmail, claimAlertEmails, recordAlertEmail } from './store/alert-emails.ts';
import { type Alert, findAlert } from './store/alerts.ts';
import { alertUrl } from './alert-watch.ts';

/** Sends alerts by e-mail to the people who chose to get them. */
export interface AlertMail {
  /** Sends at most `limit` due e-mails, one after another; returns how many it tried. */
  sendDue(limit: number): Promise<number>;
}

interface Dependencies {
  db: Database;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  publicUrl: string;
  now: () => Date;
  logger: Logger;
}

type Language = keyof LocalizedText;
type NamedAlert = Alert & { organizationName: string };

/** Longer than sending one e-mail takes, so that no other node sends the claimed ones meanwhile. */
const leasePerEmailMs = 35_000;

const locales: Record<Language, string> = { pt: 'pt-BR', en: 'en-US' };

function formatsIn(language: Language) {
  const timeZone = 'America/Sao_Paulo';
  const locale = locales[language];
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short', timeZone });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone });
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  return {
    dateTime: (instant: string | Date) => dateTime.format(new Date(instant)),
    date: (instant: string | Date) => date.format(new Date(instant)),
    share: (ratio: number) => share.format(ratio),
  };
}

const words = {
  pt: {
    opened: 'Alerta',
    closed: 'Resolvido',
    since: (from: string) => `Aberto em ${from} (horário de Brasília).`,
    until: (from: string, to: string) => `Aberto em ${from}, resolvido em ${to} (horário de Brasília).`,
    why: 'Você recebe este e-mail porque escolheu este tipo de alerta no seu perfil:',
  },
  en: {
    opened: 'Alert',
    closed: 'Resolved',
    since: (from: string) => `Opened at ${from} (Brasília time).`,
    until: (from: string, to: string) => `Opened at ${from}, resolved at ${to} (Brasília time).`,
    why: 'You get this e-mail because you chose this kind of alert in your profile:',
  },
} as const;

/** A subject is one line, but people may type names of organizations and credentials on several. */
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function alertMessage(
  publicUrl: string,
  alert: NamedAlert,
  { isClosed, language }: { isClosed: boolean; language: Language },
): Omit<MailMessage, 'to'> {
  const { condition, kind, organizationId, mode, openedAt, closedAt } = alert;
  const text = words[language];
  const formats = formatsIn(language);
  const title = conditionTitles[kind][language];
  const about = conditionSubject(condition, language);
  const opened = formats.dateTime(openedAt);
  return {
    subject: inOneLine(
      `[${alert.organizationName}] ${isClosed ? text.closed : text.opened}: ${title} (${about})`,
    ),
    text: [
      `${title}: ${about}`,
      ...(isClosed ? [] : [conditionSentence(condition, language, formats)]),
      isClosed && closedAt ? text.until(opened, formats.dateTime(closedAt)) : text.since(opened),
      alertUrl(publicUrl, alert),
      `-- \n${text.why}\n${publicUrl}/dashboard/${organizationId}/${mode}/profile`,
    ].join('\n\n'),
  };
}

export function createAlertMail({ db, mailer, publicUrl, now, logger }: Dependencies): AlertMail {
  const isLanguage = (value: string): value is Language => value in words;

  /** `error` is set if the e-mail should be tried again. Nothing is sent to members who no longer want it. */
  async function send(mail: Mailer, { alertId, email, language, isClosed }: ClaimedEmail) {
    const alert = email === null || language === null ? undefined : await findAlert(db, alertId);
    if (!alert || email === null || language === null) return { error: undefined, isSent: false };
    const known = isLanguage(language) ? language : 'pt';
    const error = await mail.send({
      to: email,
      ...alertMessage(publicUrl, alert, { isClosed, language: known }),
    });
    return { error, isSent: error === undefined };
  }

  async function deliver(mail: Mailer, claimed: ClaimedEmail): Promise<void> {
    const { error, isSent } = await send(mail, claimed);
    const attemptCount = claimed.attemptCount + 1;
    const again =
      error === undefined ? undefined : nextAttemptAt(attemptCount, now(), { random: Math.random() });
    if (error !== undefined)
      logger.warn({ alertId: claimed.alertId, userId: claimed.userId, error, again }, 'e-mail was not sent');
    const sentAt = isSent ? now() : null;
    await recordAlertEmail(db, claimed, { attemptCount, nextAttemptAt: again ?? null, sentAt });
  }

  return {
    async sendDue(limit) {
      if (!mailer) return 0;
      const leasedUntil = new Date(now().getTime() + limit * leasePerEmailMs);
      const claimed = await claimAlertEmails(db, { now: now(), leasedUntil, limit });
      for (const each of claimed) await deliver(mailer, each);
      return claimed.length;
    },
  };
}
