import { Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { t } from '../../../texts/index.ts'
import classes from '../Settings.module.css'

/** A secret, now and never again. */
export const ShownOnce = ({
  label,
  value,
  onDone,
}: {
  label: string
  value: string
  onDone?: () => void
}) => (
  <section className={classes.once} aria-label={label}>
    <Stack gap="sm">
      <Text fw={600}>
        {t.settings.once.title}: {label}
      </Text>
      <code className={classes.code}>{value}</code>
      <Text size="sm" c="dimmed">
        {t.settings.once.hint}
      </Text>
      <Group gap="sm">
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button size="xs" onClick={copy}>
              {copied ? t.actions.copied : t.actions.copy}
            </Button>
          )}
        </CopyButton>
        {onDone && (
          <Button size="xs" variant="default" onClick={onDone}>
            {t.settings.once.done}
          </Button>
        )}
      </Group>
    </Stack>
  </section>
)
