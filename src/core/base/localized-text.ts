/** A text that people read, in every language of the dashboard. */
export interface LocalizedText {
  pt: string;
  en: string;
}
