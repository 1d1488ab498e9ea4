// At each moment it starts the hook, hands it one JSON document and adds what it answers; every failure is silent.
import { spawn } from "node:child_process"

const COMMAND = []
const MILLISECONDS = 5000
// Messages of the conversation that the hook is told, and characters of each.
const TOLD = 40
const CHARACTERS = 2000
const GUARDED = /^(write|edit|bash|patch|apply_patch)$|_.*(write|edit|replace|create|save|update|delete|remove|unlink|move|rename|patch)/
const ABOUT = /^(read|write|edit|bash|patch|apply_patch)$/

function answerTo(event) {
  return new Promise((resolve) => {
    const nothing = { text: "", denial: "" }
    try {
      const hook = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      const parts = []
      const timer = setTimeout(() => hook.kill(), MILLISECONDS)
      hook.on("error", () => resolve(nothing))
      hook.stdin.on("error", () => {})
      hook.stdout.on("data", (part) => parts.push(part))
      hook.on("close", () => {
        clearTimeout(timer)
        try {
          const said = JSON.parse(Buffer.concat(parts).toString("utf-8")).hookSpecificOutput
          resolve({ text: said.additionalContext ?? "", denial: said.permissionDecisionReason ?? "" })
        } catch {
          resolve(nothing)
        }
      })
      hook.stdin.end(JSON.stringify(event))
    } catch {
      resolve(nothing)
    }
  })
}

export const Ladder = async ({ client, directory }) => {
  const begun = new Map() // session -> how it began, until its next message
  const parents = new Map() // a sub-agent's session -> the session that it works for
  const warnings = new Map() // call -> what is said behind its result
  const common = (name, session) => ({
    hook_event_name: name,
    session_id: session,
    cwd: directory,
    agent_id: parents.get(session) ? session : "",
  })

  const conversation = async (session) => {
    const told = []
    try {
      const { data } = await client.session.messages({ path: { id: session }, query: { limit: TOLD } })
      for (const { info, parts } of data ?? []) {
        for (const part of parts) {
          if (part.type === "text" && !part.synthetic) told.push({ role: info.role, text: part.text.slice(-CHARACTERS) })
          else if (part.type === "tool" && part.state?.input)
            told.push({ tool: part.tool, input: part.state.input, output: String(part.state.output ?? "").slice(-CHARACTERS) })
        }
      }
      return { told, told_whole: (data ?? []).length < TOLD }
    } catch {
      return {}
    }
  }

  return {
    event: async ({ event }) => {
      const { info, sessionID } = event.properties ?? {}
      if (event.type === "session.created") {
        if (info.parentID) parents.set(info.id, info.parentID)
        else begun.set(info.id, "startup")
      } else if (event.type === "session.compacted") begun.set(sessionID, "compact")
    },

    "chat.message": async (input, output) => {
      const session = input.sessionID
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      const last = output.parts.at(-1)
      if (!texts.length || !last) return
      const said = []
      const source = begun.get(session)
      if (source) {
        begun.delete(session)
        said.push((await answerTo({ ...common("session.created", session), source })).text)
      }
      const event = { ...common("chat.message", session), prompt: texts.join("\n"), ...(await conversation(session)) }
      said.push((await answerTo(event)).text)
      // Parts stand in the order of their names: these come behind the person's words.
      said.filter(Boolean).forEach((text, at) =>
        output.parts.push({
          id: `${last.id}l${at}`,
          sessionID: output.message.sessionID,
          messageID: output.message.id,
          type: "text",
          synthetic: true,
          text,
        }),
      )
    },

    "tool.execute.before": async (input, output) => {
      if (!GUARDED.test(input.tool)) return
      const event = { ...common("tool.execute.before", input.sessionID), tool_name: input.tool, tool_input: output.args }
      const { text, denial } = await answerTo(event)
      if (denial) throw new Error(denial)
      if (text) warnings.set(input.callID, text)
    },

    "tool.execute.after": async (input, output) => {
      const said = [warnings.get(input.callID)]
      warnings.delete(input.callID)
      if (ABOUT.test(input.tool)) {
        const event = { ...common("tool.execute.after", input.sessionID), tool_name: input.tool, tool_input: input.args }
        said.push((await answerTo(event)).text)
      }
      const text = said.filter(Boolean).join("\n")
      if (text && typeof output?.output === "string") output.output += `\n\n${text}`
    },
  }
}
