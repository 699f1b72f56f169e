import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core'
import { type Icon, IconBold, IconItalic, IconLink, IconList, IconListNumbers } from '@tabler/icons-react'
import { type Editor, useEditorState } from '@tiptap/react'
import { useState } from 'react'
import { t } from '../../../texts/index.ts'
import classes from './Inputs.module.css'

type Tool = { name: string; mark: string; icon: Icon; run: (editor: Editor) => unknown }

const tools = (): Tool[] => [
  {
    name: t.editor.bold,
    mark: 'bold',
    icon: IconBold,
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: t.editor.italic,
    mark: 'italic',
    icon: IconItalic,
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    name: t.editor.bullets,
    mark: 'bulletList',
    icon: IconList,
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: t.editor.numbers,
    mark: 'orderedList',
    icon: IconListNumbers,
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
]

export const RichTools = ({ editor, of }: { editor: Editor; of: string }) => {
  const active = useEditorState({
    editor,
    selector: ({ editor }) =>
      tools()
        .map(({ mark }) => editor.isActive(mark))
        .join(),
  }).split(',')
  return (
    <div className={classes.tools} role="toolbar" aria-label={t.editor.formatOf(of)}>
      {tools().map(({ name, icon: Shown, run }, index) => (
        <ActionIcon
          key={name}
          size="sm"
          variant={active[index] === 'true' ? 'light' : 'subtle'}
          color={active[index] === 'true' ? 'accent' : 'gray'}
          aria-label={name}
          aria-pressed={active[index] === 'true'}
          title={name}
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(editor)}
        >
          <Shown size={15} aria-hidden />
        </ActionIcon>
      ))}
      <LinkTool editor={editor} />
    </div>
  )
}

const LinkTool = ({ editor }: { editor: Editor }) => {
  const [opened, setOpened] = useState(false)
  const [href, setHref] = useState('')
  const isLink = useEditorState({ editor, selector: ({ editor }) => editor.isActive('link') })
  const open = () => {
    setHref((editor.getAttributes('link').href as string | undefined) ?? '')
    setOpened(true)
  }
  const apply = () => {
    const chain = editor.chain().focus().extendMarkRange('link')
    const to = /^[a-z][\w+.-]*:|^[/#]/i.test(href.trim()) ? href.trim() : `https://${href.trim()}`
    if (href.trim() === '') chain.unsetLink().run()
    else if (editor.state.selection.empty && !isLink)
      chain
        .insertContent({ type: 'text', text: href.trim(), marks: [{ type: 'link', attrs: { href: to } }] })
        .run()
    else chain.setLink({ href: to }).run()
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start">
      <Popover.Target>
        <ActionIcon
          size="sm"
          variant={isLink ? 'light' : 'subtle'}
          color={isLink ? 'accent' : 'gray'}
          aria-label={t.editor.link}
          title={t.editor.link}
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={open}
        >
          <IconLink size={15} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            size="xs"
            w={260}
            label={t.editor.linkTo}
            placeholder="https://…"
            value={href}
            onChange={(event) => setHref(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && apply()}
          />
          <Button size="xs" onClick={apply}>
            {href.trim() === '' && isLink ? t.actions.remove : t.actions.apply}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
