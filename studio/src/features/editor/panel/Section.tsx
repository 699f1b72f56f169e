import { UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import classes from '../Editor.module.css'

type Props = { name: string; title: string; children: ReactNode; closed?: boolean }

/** Folds, and stays as it was left. What is folded is not loaded. */
export const Section = ({ name, title, children, closed = false }: Props) => {
  const id = useId()
  const [open, setOpen] = useLocalStorage({
    key: `marquee.editor.${name}`,
    defaultValue: !closed,
    getInitialValueInEffect: false,
  })
  return (
    <section className={classes.section}>
      <h3 style={{ margin: 0 }}>
        <UnstyledButton
          className={classes.sectionHead}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight size={14} aria-hidden className={open ? classes.turned : undefined} />
          {title}
        </UnstyledButton>
      </h3>
      <div id={id} className={open ? classes.sectionBody : undefined}>
        {open && children}
      </div>
    </section>
  )
}
