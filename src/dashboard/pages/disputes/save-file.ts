/** Has the browser save it and never show it, whatever it is. `content` is base64. */
export function saveFile(name: string, content: string): void {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Reads a file that somebody chose as base64. */
export const readFile = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const { result } = reader;
      resolve(typeof result === 'string' ? result.replace(/^[^,]*,/, '') : '');
    };
    reader.onerror = () => {
      reject(reader.error ?? new Error('the file cannot be read'));
    };
    reader.readAsDataURL(file);
  });
