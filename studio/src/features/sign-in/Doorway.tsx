import { Stack, Title } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import icon from '../../icon.svg'
import classes from './Doorway.module.css'

type Props = { title: string; onSubmit?: (event: FormEvent) => void; children: ReactNode }

/** The small form in front of the workplace. */
export const Doorway = ({ title, onSubmit, children }: Props) => {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <main className={classes.doorway}>
      <form className={classes.form} onSubmit={onSubmit}>
        <img src={icon} alt="" width={36} height={36} />
        <Title order={1} size="h2" mt="md" mb="lg">
          {title}
        </Title>
        <Stack gap="md">{children}</Stack>
      </form>
    </main>
  )
}
