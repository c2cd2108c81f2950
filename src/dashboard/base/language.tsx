import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';

export type Language = 'pt' | 'en';

const storageKey = 'pix-language';
const locales = { pt: 'pt-BR', en: 'en-US' } as const satisfies Record<Language, string>;

/** Whoever reads this in English is in Brazil: a month in letters and 24 hours are read alike everywhere. */
const datesOf = (locale: string): { locale: string; date: Intl.DateTimeFormatOptions } =>
  locale === locales.en
    ? { locale: 'en-GB', date: { day: 'numeric', month: 'short', year: 'numeric' } }
    : { locale, date: { day: '2-digit', month: '2-digit', year: 'numeric' } };

const minutes = { hour: '2-digit', minute: '2-digit' } as const;

const initialLanguage = (): Language => {
  const chosen = localStorage.getItem(storageKey) ?? navigator.language;
  return chosen.startsWith('en') ? 'en' : 'pt';
};

const LanguageContext = createContext<{ language: Language; setLanguage: (language: Language) => void }>({
  language: 'pt',
  setLanguage: () => undefined,
});

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(initialLanguage);
  useEffect(() => {
    document.documentElement.lang = locales[language];
    localStorage.setItem(storageKey, language);
  }, [language]);
  const value = useMemo(() => ({ language, setLanguage }), [language]);
  return <LanguageContext value={value}>{children}</LanguageContext>;
}

export const useLanguage = () => use(LanguageContext);

/** Both languages have the same keys; Portuguese defines the type. */
export type Texts<Messages> = { pt: Messages; en: Messages };

export const texts = <Messages,>(pt: Messages, en: NoInfer<Messages>): Texts<Messages> => ({ pt, en });

export const useTexts = <Messages,>(messages: Texts<Messages>): Messages => messages[useLanguage().language];

/** Where the documentation is in the language of the dashboard. */
export const useDocs = (): string => (useLanguage().language === 'pt' ? '/docs/pt' : '/docs');

/** Provides the time zone of the organization at work; without one, the browser's applies. */
export const TimeZoneContext = createContext<string | undefined>(undefined);

export const useTimeZone = (): string | undefined => use(TimeZoneContext);

/** Formats follow the locale and the organization's time zone. Money is in BRL, instants are ISO 8601 strings. */
export function useFormats() {
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  return useMemo(() => formatsOf(locales[language], timeZone), [language, timeZone]);
}

const second = { name: 'second', seconds: 1 };
const longerUnits = [
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
];

/** Finds the largest unit that the duration fills. */
export const durationUnitOf = (duration: number) =>
  longerUnits.find(({ seconds }) => duration >= seconds) ?? second;

function formatsOf(locale: string, timeZone: string | undefined) {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' });
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const shortMoney = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'BRL',
    notation: 'compact',
  });
  const count = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const feePercent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 });
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const dates = datesOf(locale);
  const dateTime = new Intl.DateTimeFormat(dates.locale, { timeZone, ...dates.date, ...minutes });
  const exactTime = new Intl.DateTimeFormat(dates.locale, {
    timeZone,
    ...dates.date,
    ...minutes,
    second: '2-digit',
  });
  const date = new Intl.DateTimeFormat(dates.locale, { timeZone, ...dates.date });
  const calendarDay = new Intl.DateTimeFormat(dates.locale, { timeZone: 'UTC', ...dates.date });
  const day = new Intl.DateTimeFormat(dates.locale, { timeZone, day: '2-digit', month: 'short' });
  const hour = new Intl.DateTimeFormat(dates.locale, { timeZone, ...minutes });
  const unit = (name: string) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: 1,
    });
  return {
    locale,
    /** Dates have a locale of their own: English writes them as the British do. */
    dateLocale: dates.locale,
    money: (amount: number) => money.format(amount),
    /** Inputs show no currency symbol. */
    amount: (reais: number) => amount.format(reais),
    shortMoney: (amount: number) => shortMoney.format(amount),
    count: (number: number) => count.format(number),
    share: (ratio: number) => share.format(ratio),
    percent: (hundredths: number) => percent.format(hundredths / 100),
    /** Keeps the four decimals that a fee may have. */
    feePercent: (hundredths: number) => feePercent.format(hundredths / 100),
    dateTime: (instant: string | Date) => dateTime.format(new Date(instant)),
    /** Shows seconds, for where it matters what came first. */
    exactTime: (instant: string | Date) => exactTime.format(new Date(instant)),
    date: (instant: string | Date) => date.format(new Date(instant)),
    /** Formats a day like 2026-12-31, which is the same in every time zone. */
    calendarDay: (day: string) => calendarDay.format(new Date(day)),
    day: (instant: string | Date) => day.format(new Date(instant)),
    hour: (instant: string | Date) => hour.format(new Date(instant)),
    /** Nothing takes negative time: the clock of a provider may be behind ours. */
    seconds(difference: number): string {
      const seconds = Math.max(0, difference);
      const { name, seconds: each } = durationUnitOf(seconds);
      return unit(name).format(seconds / each);
    },
    milliseconds: (milliseconds: number) => unit('millisecond').format(milliseconds),
  };
}

export type Formats = ReturnType<typeof formatsOf>;
