//! The arguments of a call, read one by one; what is wrong is said in words that a model can act on.

use crate::fault::Failure;
use loci_domain::document::Kind;
use loci_domain::scope::Scope;
use rmcp::model::JsonObject;
use serde_json::Value;

/// The field for a dry run, and how models spell it that write in snakes.
const DRY: &str = "dryRun";
const DRY_TOO: &str = "dry_run";

/// The arguments of a call; `null` is the same as absent.
pub(crate) struct Arguments<'a> {
    tool: &'a str,
    given: JsonObject,
}

impl Arguments<'_> {
    /// What was given to a tool.
    pub fn new(tool: &str, given: Option<JsonObject>) -> Arguments<'_> {
        Arguments { tool, given: given.unwrap_or_default() }
    }

    /// All of them, for a tool that reads them itself.
    pub fn whole(self) -> Value {
        Value::Object(self.given)
    }

    /// Refuses a field that the tool's schema does not have: a misspelt one would be done without.
    pub fn fit(&self, schema: &JsonObject) -> Result<(), Failure> {
        let known = schema.get("properties").and_then(Value::as_object);
        let takes = |field: &str| known.is_some_and(|known| known.contains_key(field));
        let unknown = self.given.keys().find(|field| !takes(if *field == DRY_TOO { DRY } else { field }));
        match unknown {
            None => Ok(()),
            Some(field) => {
                let names: Vec<String> = known.into_iter().flatten().map(|(name, _)| format!("`{name}`")).collect();
                let (tool, names) = (self.tool, names.join(", "));
                Err(Failure::Arguments(format!("The tool `{tool}` has no field `{field}`; it takes {names}.")))
            }
        }
    }

    /// Whether it is only told what would happen, in either spelling.
    pub fn is_dry(&self) -> Result<bool, Failure> {
        Ok(self.flag(DRY)? || self.flag(DRY_TOO)?)
    }

    /// A text that must be there.
    pub fn text(&self, field: &str) -> Result<String, Failure> {
        self.optional_text(field)?.ok_or_else(|| self.wrong(field, "as a string"))
    }

    /// A text that may be there.
    pub fn optional_text(&self, field: &str) -> Result<Option<String>, Failure> {
        match self.get(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(field, "as a string")),
        }
    }

    /// A whole number that may be there, between 0 and `most`.
    pub fn number(&self, field: &str, most: usize) -> Result<Option<usize>, Failure> {
        let Some(value) = self.get(field) else { return Ok(None) };
        // Models write 3.0 for 3.
        let whole = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0 && *number <= most as f64);
        whole.map(|number| Some(number as usize)).ok_or_else(|| self.wrong(field, &format!("between 0 and {most}")))
    }

    /// A yes or no that may be there.
    fn flag(&self, field: &str) -> Result<bool, Failure> {
        match self.get(field) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.wrong(field, "as true or false")),
        }
    }

    /// The scope, if one was asked for.
    pub fn scope(&self) -> Result<Option<Scope>, Failure> {
        self.optional_text("scope")?
            .map(|word| word.parse().map_err(|_| self.wrong("scope", "as global, project or workspace")))
            .transpose()
    }

    /// The type of the fact, if it was said.
    pub fn kind(&self) -> Result<Option<Kind>, Failure> {
        self.optional_text("type")?
            .map(|word| {
                Kind::from_word(&word).ok_or_else(|| self.wrong("type", "as user, feedback, project or reference"))
            })
            .transpose()
    }

    fn get(&self, field: &str) -> Option<&Value> {
        self.given.get(field).filter(|value| !value.is_null())
    }

    fn wrong(&self, field: &str, how: &str) -> Failure {
        Failure::Arguments(format!("The tool `{}` needs the field `{field}` {how}.", self.tool))
    }
}
