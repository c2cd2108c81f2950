import { FileInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { PasswordInput } from '../../../ui/inputs/fields.tsx';
import { texts, useTexts } from '../../../base/language.tsx';
import { certificateNames, mayBeLocked, readCertificateFiles } from './certificate-files.ts';
import { type SettingValues, textOf } from './setting-values.ts';

const messages = texts(
  {
    label: 'Certificado',
    about:
      'O arquivo do banco: .p12 ou .pfx, ou PEM com o certificado e a chave privada, em um ou dois arquivos.',
    kept: 'Já informado: deixe vazio para manter.',
    choose: 'Escolher arquivo',
    noKey: 'Falta a chave privada: escolha os dois arquivos juntos.',
    noCertificate: 'Falta o certificado: escolha os dois arquivos juntos.',
    passphrase: 'Senha do certificado (se houver)',
  },
  {
    label: 'Certificate',
    about:
      'The bank’s file: .p12 or .pfx, or PEM with the certificate and the private key, in one or two files.',
    kept: 'Already set: leave empty to keep it.',
    choose: 'Choose a file',
    noKey: 'The private key is missing: choose both files together.',
    noCertificate: 'The certificate is missing: choose both files together.',
    passphrase: 'Passphrase of the certificate (if any)',
  },
);

interface CertificateSettingProps {
  isStored: boolean;
  values: SettingValues;
  /** The service said it of one of the settings. */
  error: string | undefined;
  onChange: (change: (before: SettingValues) => SettingValues) => void;
}

/** Takes what banks hand out, a file, for the four settings of a client certificate. */
export function CertificateSetting({ isStored, values, error, onChange }: CertificateSettingProps) {
  const text = useTexts(messages);
  const [files, setFiles] = useState<File[]>([]);
  const [certificate, privateKey, pkcs12] = certificateNames.map((name) => textOf(values[name]));
  const choose = async (chosen: File[]) => {
    setFiles(chosen);
    const read = await readCertificateFiles(chosen);
    // Those that are left out must not stay from a file chosen before, nor from what is stored.
    const gone = isStored && chosen.length > 0 ? null : '';
    onChange((before) => ({
      ...before,
      ...Object.fromEntries(certificateNames.map((name) => [name, gone])),
      ...read,
    }));
  };
  const mistake = certificate && !privateKey ? text.noKey : privateKey && !certificate && text.noCertificate;
  return (
    <Stack gap="xs">
      <FileInput
        label={text.label}
        description={[text.about, isStored && text.kept].filter(Boolean).join(' ')}
        placeholder={text.choose}
        accept=".p12,.pfx,.pem,.crt,.cer,.key"
        multiple
        clearable
        withAsterisk={!isStored}
        error={mistake || error}
        value={files}
        onChange={(chosen) => void choose(chosen)}
      />
      {mayBeLocked({ ...(privateKey && { privateKey }), ...(pkcs12 && { pkcs12 }) }) && (
        <PasswordInput
          label={text.passphrase}
          autoComplete="new-password"
          value={textOf(values['passphrase'])}
          onChange={(event) => {
            const { value } = event.currentTarget;
            onChange((before) => ({ ...before, passphrase: value }));
          }}
        />
      )}
    </Stack>
  );
}
