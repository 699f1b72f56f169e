import { Button, Text, UnstyledButton } from '@mantine/core'
import { IconBox, IconDownload, IconSparkles } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import classes from './Content.module.css'

/** Nothing fits, or nothing is there yet. */
export const NothingHere = ({ isBare }: { isBare: boolean }) =>
  isBare ? (
    <FirstUse />
  ) : (
    <EmptyState title={t.content.empty} hint={t.content.emptyHint}>
      <Button component={Link} {...({ to: '/content', search: {} } as object)} variant="default">
        {t.content.showAll}
      </Button>
    </EmptyState>
  )

const FirstUse = () => {
  const can = useCan()
  return (
    <EmptyState title={t.firstUse.title} hint={t.firstUse.hint}>
      <div className={classes.ways}>
        {can('tokens') && <LoadDemo />}
        <Link to="/models" className={classes.way}>
          <IconBox size={20} stroke={1.6} aria-hidden />
          <Text fw={600}>{t.firstUse.model}</Text>
          <Text size="sm" c="dimmed">
            {t.firstUse.modelHint}
          </Text>
        </Link>
        <Link to="/models" search={{ import: '1' } as never} className={classes.way}>
          <IconDownload size={20} stroke={1.6} aria-hidden />
          <Text fw={600}>{t.firstUse.import}</Text>
          <Text size="sm" c="dimmed">
            {t.firstUse.importHint}
          </Text>
        </Link>
      </div>
    </EmptyState>
  )
}

const LoadDemo = () => {
  const [asked, setAsked] = useState(false)
  const load = async () => {
    setAsked(true)
    try {
      await api.post('/demo')
      toast(t.firstUse.demoLoading)
    } catch (error) {
      setAsked(false)
      toastError(t.firstUse.demo, error)
    }
  }
  return (
    <UnstyledButton className={classes.way} onClick={load} disabled={asked}>
      <IconSparkles size={20} stroke={1.6} aria-hidden />
      <Text fw={600}>{t.firstUse.demo}</Text>
      <Text size="sm" c="dimmed">
        {asked ? t.firstUse.demoLoading : t.firstUse.demoHint}
      </Text>
    </UnstyledButton>
  )
}
