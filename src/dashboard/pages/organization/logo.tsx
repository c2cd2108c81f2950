import { Button, FileButton, Group, Paper, Text } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { type Profile, removeOrganizationLogoDocument, setOrganizationLogoDocument } from './documents.ts';
import { shrinkImage } from './shrink-image.ts';
import { Section } from '../../ui/page.tsx';

const messages = texts(
  {
    title: 'Logotipo',
    about: 'PNG, JPEG ou WebP. Imagens grandes são reduzidas ao enviar.',
    none: 'Nenhum logotipo',
    alt: (name: string) => `Logotipo de ${name}`,
    choose: 'Enviar imagem',
    replace: 'Substituir imagem',
    remove: 'Remover logotipo',
    saved: 'Logotipo salvo.',
    removed: 'Logotipo removido.',
  },
  {
    title: 'Logo',
    about: 'PNG, JPEG or WebP. Large images are made smaller when you upload them.',
    none: 'No logo',
    alt: (name: string) => `Logo of ${name}`,
    choose: 'Upload image',
    replace: 'Replace image',
    remove: 'Remove logo',
    saved: 'Logo saved.',
    removed: 'Logo removed.',
  },
);

export function Logo({ profile: { name, logoPath }, isEditable }: { profile: Profile; isEditable: boolean }) {
  const text = useTexts(messages);
  const set = useServiceMutation(setOrganizationLogoDocument, text.saved);
  const remove = useServiceMutation(removeOrganizationLogoDocument, text.removed);
  const imageError = useFieldErrors(set.error)('image');
  const send = async (file: File | null) => {
    if (!file) return;
    const image = await shrinkImage(file);
    set.mutate({ image });
  };
  return (
    <Section title={text.title}>
      {logoPath ? (
        // Payers see it on white in both themes.
        <Paper withBorder p="md" bg="white" w="fit-content">
          <img
            src={logoPath}
            alt={text.alt(name)}
            style={{ display: 'block', maxHeight: 96, maxWidth: '100%' }}
          />
        </Paper>
      ) : (
        <Text size="sm" c="dimmed">
          {text.none}
        </Text>
      )}
      {isEditable && (
        <>
          <Text size="sm" c="dimmed">
            {text.about}
          </Text>
          <Group>
            <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void send(file)}>
              {(props) => (
                <Button variant="default" loading={set.isPending} {...props}>
                  {logoPath ? text.replace : text.choose}
                </Button>
              )}
            </FileButton>
            {logoPath && (
              <Button
                variant="subtle"
                color="red"
                loading={remove.isPending}
                onClick={() => {
                  remove.mutate({});
                }}
              >
                {text.remove}
              </Button>
            )}
          </Group>
          {imageError && (
            <Text size="sm" c="red" role="alert">
              {imageError}
            </Text>
          )}
          {!imageError && <ErrorAlert error={set.error ?? remove.error} />}
        </>
      )}
    </Section>
  );
}
