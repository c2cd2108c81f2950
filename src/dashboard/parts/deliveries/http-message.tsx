import { Code } from '@mantine/core';
import classes from './http-message.module.css';

interface HttpMessageProps {
  /** Screen readers say it. */
  label: string;
  headers: readonly { name: string; value: string }[];
  body: string;
}

/** Breaks JSON into lines, and leaves anything else as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export const HttpMessage = ({ label, headers, body }: HttpMessageProps) => (
  <Code block component="section" className={classes.message} tabIndex={0} aria-label={label}>
    {headers.map(({ name, value }) => (
      <div key={name}>
        <b>{name}</b>: {value}
      </div>
    ))}
    {headers.length > 0 && body && <br />}
    {indented(body)}
  </Code>
);
