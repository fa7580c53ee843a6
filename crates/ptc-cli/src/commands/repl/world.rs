//! The surroundings of programs: data, tools and limits of the command line and of a mission file.

use std::sync::Arc;

use ptc_runner::agent::{Agent, AgentBuilder, AgentSpec, Context, ProgramSession, RunOptions, SignatureValidation};
use ptc_runner::config::{MissionFile, Settings};
use ptc_runner::lisp::values::key_name;
use ptc_runner::lisp::{Limits, Map, ToolSpec, Value};
use ptc_runner::mcp::HostedServers;
use ptc_runner::transcript::Observer;

use super::super::run::{ApproveArg, llm};
use super::ReplArgs;
use super::asking;
use crate::failure::Failure;
use crate::trust;
use crate::{data, output};

/// The surroundings of a session: enough to start it, and to start it again.
pub(super) struct World {
    agent: Agent,
    options: RunOptions,
    data: Map,
    limits: Limits,
    /// The mission file, as the command line names it.
    pub(super) mission: Option<String>,
    /// They end with the command.
    pub(super) servers: Option<HostedServers>,
}

impl World {
    /// Read what the command line names. `observer` is informed about calls.
    pub(super) fn new(args: &ReplArgs, is_terminal: bool, observer: Arc<dyn Observer>) -> Result<World, Failure> {
        let mut world = match &args.mission {
            None => World {
                agent: plain()?,
                options: RunOptions::new(),
                data: Map::new(),
                limits: Limits::default(),
                mission: None,
                servers: None,
            },
            Some(path) => World::of_mission(MissionFile::load(path)?, args, is_terminal)?,
        };
        // People read what they print, as with `ptc eval`.
        let limits = Limits { prints: usize::MAX / 4, print_chars: usize::MAX / 4, ..world.limits };
        let given = args.session.options(limits)?;
        world.data = data::merged(&world.data, &given.data);
        world.limits = given.limits;
        world.options.seed = given.seed;
        world.options.observers.push(observer);
        Ok(world)
    }

    fn of_mission(mut mission: MissionFile, args: &ReplArgs, is_terminal: bool) -> Result<World, Failure> {
        output::notes(&mission.notes);
        mission.ask_again(None);
        trust::ask(&mut mission)?;
        let servers = Some(mission.connect_hosted()?);
        output::notes(&mission.server_problems());
        let limits = mission.limits();
        // Inputs are checked when a run starts; here the user may be about to find out what they are.
        mission.agent.signature_validation = SignatureValidation::Disabled;
        whole(&mut mission.agent);
        let agent = mission.build_agent(&limits)?;
        let mut options = mission.run_options();
        let settings = Settings::load(&mission.folder)?;
        options.approval = asking::chosen(ApproveArg::or(args.approve, &settings), &agent, is_terminal)?;
        match mission
            .models_with(args.llm.as_deref(), &settings)
            .map_err(Failure::from)
            .and_then(|models| llm::Connect::default().all(&models))
        {
            Ok((llm, registry)) => options = options.llm(llm).llm_registry(registry),
            Err(error) if args.llm.is_some() => return Err(error),
            // Most missions call no models from programs.
            Err(error) => {
                if !mission.agents.is_empty() || !mission.llm_names().is_empty() || mission.agent.llm_query {
                    output::indented(&format!("note: agents and questions cannot be asked: {error}"));
                }
            }
        }
        let shown = mission.path.display().to_string();
        Ok(World { agent, options, data: mission.data_map(), limits, mission: Some(shown), servers })
    }

    /// A session without definitions.
    pub(super) fn session(&self) -> Result<ProgramSession, Failure> {
        let mut session = ProgramSession::new(&self.agent, Context::from_map(self.data.clone()), self.options.clone())?;
        session.set_limits(self.limits.clone());
        Ok(session)
    }

    pub(super) fn tools(&self) -> Vec<ToolSpec> {
        self.agent.tools()
    }

    /// The entries of `data/` by name, in order.
    pub(super) fn data(&self) -> Vec<(String, Value)> {
        self.data.iter().filter_map(|(key, value)| Some((key_name(key)?.to_owned(), value.clone()))).collect()
    }
}

/// An agent without tools.
fn plain() -> Result<Agent, Failure> {
    let mut agent = AgentSpec::default();
    agent.mission = "Run programs.".to_owned();
    whole(&mut agent);
    Ok(AgentBuilder::from(agent).build()?)
}

/// `*1` is the whole value, since no tokens are paid for here.
fn whole(agent: &mut AgentSpec) {
    agent.format_options.history_max_bytes = usize::MAX / 4;
}
