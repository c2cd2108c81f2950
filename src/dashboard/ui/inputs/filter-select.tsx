import { Select } from '@mantine/core';

interface FilterSelectProps<Value extends string> {
  label: string;
  /** Says what is shown while nothing is chosen. */
  any: string;
  options: readonly { value: Value; label: string }[];
  value: Value | null;
  onChange: (value: Value | null) => void;
}

/** Narrows a list down to one of a few, or to none. */
export function FilterSelect<Value extends string>({
  label,
  any,
  options,
  value,
  onChange,
}: FilterSelectProps<Value>) {
  return (
    <Select
      flex="1 1 180px"
      maw={{ xs: 320 }}
      aria-label={label}
      placeholder={any}
      clearable
      comboboxProps={{ keepMounted: false }}
      value={value}
      data={options}
      onChange={(chosen) => {
        onChange(options.find((option) => option.value === chosen)?.value ?? null);
      }}
    />
  );
}
