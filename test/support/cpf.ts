/** A valid CPF, another one for each number. */
export function cpfOf(index: number): string {
  const digits = [...String(100_000_000 + index)].map(Number);
  for (const length of [10, 11]) {
    const sum = digits.reduce((total, digit, place) => total + digit * (length - place), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
