import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const debounceMs = 300;

/** Debounces typing into a value, and follows changes of it from elsewhere. */
export function useTyped(value: string, change: (wanted: string) => void) {
  const [typed, setTyped] = useState(value);
  const submitted = useRef(value);
  const submit = useDebouncedCallback((wanted: string) => {
    submitted.current = wanted;
    change(wanted);
  }, debounceMs);
  useEffect(() => {
    if (value === submitted.current) return;
    submitted.current = value;
    submit.cancel();
    setTyped(value);
  }, [value, submit]);
  const type = (text: string) => {
    setTyped(text);
    submit(text.trim());
  };
  return { typed, type };
}
