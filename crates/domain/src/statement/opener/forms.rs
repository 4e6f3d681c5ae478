//! The forms themselves, as patterns and lists of words.
//!
//! Owns the data; what is made of it is in the module above.

/// What may stand before a statement without changing it.
pub(super) const FILLERS: &str = r"(?i)^(?:(?:ok|okay|so|and|but|also|then|oh|well|btw|by the way|yes|yep|no|nope|right|cool|thanks|thank you|hey|hi|hello|fyi|please|pls|one (?:more |last )?thing|before (?:we start|i forget)|just so you know|for the record|for your information|important|again|exactly|agreed|great|bitte|por favor|s'il te plaît|und|et|y)\s*(?:[,:;.!–—-]+\s*|\s+)|note\s*[,:;.!–—-]+\s*)+";

/// The rest of the sentence is the fact.
pub(super) const EXPLICIT: &str = r"(?ix)^(?:
      (?:always\ |do\ )?(?:remember|memori[sz]e)(?:\ this|\ for\ (?:the\ future|later|next\ time))?(?:\ that\ |\s*[:–—]\s*(?:that\ )?)
    | (?:keep|bear)\ in\ mind(?:\ that\ |\s*:\s*)
    | (?:make|take)\ (?:a\ )?note(?:\ that\ |\s*:\s*|\ of\ this\s*:\s*)
    | (?:don['’]?t|do\ not|never)\ forget\ that\ 
    | (?:save|add|store|put)\ (?:this\ )?(?:in|to|into)\ (?:your\ |the\ )?memory\s*:?\s+(?:that\ )?
    | merke?\ dir(?:\ bitte)?\s*(?:[:,]\s*|\ )(?:dass\ )? | denke?\ (?:bitte\ )?daran\s*[,:]?\s*dass\  | vergiss\ nicht\s*,?\s*dass\ 
    | (?:souviens-toi|rappelle-toi|retiens|n['’]oublie\ pas)(?:\ bien)?\s*(?:que\ |qu['’]|:\s*)
    | (?:recuerda|acuérdate(?:\ de)?|ten\ en\ cuenta|no\ olvides)\s*(?:que\ |:\s*)
    | (?:lembre-se|lembra-te|lembra|não\ (?:se\ )?esqueças?|tenha\ em\ mente)(?:\ de)?\s*(?:que\ |:\s*)
    | (?:ricorda(?:ti)?|tieni\ presente|non\ dimenticare)\s*(?:che\ |:\s*)
    | (?:запомни|помни|учти|имей\ в\ виду)\s*(?:,?\s*что\ |:\s*)
    | (?:请|請)?(?:记住|記住|牢记|牢記|记一下|記一下)[：:，,\s]*
    | 覚えて(?:おいて)?(?:ください)?[:：、，\s]+ | 기억해(?:줘|\ ?주세요)?[:：,]\s*
    )(?P<said>.+)$";
/// The same in fewer words, so what follows must be a whole sentence about something: "remember the build server is called …".
/// "Note that" is said of the task at hand as often as not.
pub(super) const EXPLICIT_BRIEF: &str = r"(?ix)^(?:(?:always\ )?remember|(?P<aside>(?:please\ )?note\ that))\s*,?\ 
    (?P<said>(?:the|my|our|all|every)\ (?P<subject>(?:[\w'’./()-]+\ ){1,5}?)(?:is|are|was|were|has|have|must|should|needs?|uses?|runs?|lives?|goes|owns?|means|takes?|expires?)\ (?P<rest>.+))$";
/// "Remember I prefer …": what follows is a form of its own.
pub(super) const EXPLICIT_BARE: &str = r"(?ix)^(?:(?:always\ )?remember|note\ that)\s*[,:]?\ (?P<said>.+)$";
/// A subject with one of these in it is no subject: "remember the bug that is …".
pub(super) const NO_SUBJECT: &[&str] = &[
    "that",
    "which",
    "who",
    "whose",
    "where",
    "when",
    "why",
    "how",
    "what",
    "we",
    "i",
    "you",
    "he",
    "she",
    "they",
    "time",
    "question",
    "discussion",
    "conversation",
    "and",
    "or",
    "to",
    "from",
    "about",
];
/// What an aside tells that will be over soon: "note that the build is failing".
pub(super) const NO_ASIDE: &str = r"(?i)^(?:(?:still|not|only|also|just|already|now|been)\b|\w+ing\b|(?:broken|down|red|flaky|wrong|missing|empty|gone|stuck|slow)\b)";
/// The same with the verb at the end.
pub(super) const EXPLICIT_END: &str = r"^(?P<said>.{6,}?)(?:という)?(?:こと|の)?(?:を|と|は)覚えておいて(?:ください|ね)?[。.!！]?$|^(?P<korean>.{6,}?)(?:는|다는) (?:것을|걸) 기억해\s?(?:줘|주세요)?[.!]?$";
/// An order that is repeated, so it is for good: "remember to … before every …".
pub(super) const ROUTINE: &str = r"(?ix)^(?:(?:always\ )?remember|(?:don['’]?t|do\ not|never)\ forget)\ to\ (?P<said>.+
    \b(?:every|each|always|whenever|before\ (?:you|we|any|each|every|committing|pushing|merging|releasing|deploying)|after\ (?:each|every|any))\b.*)$";

/// The person.
pub(super) const PREFERS: &str =
    r"(?ix)^i\ (?:(?:really|strongly|generally|usually|personally|much|always)\ )*(?:prefer|favou?r)\ (?P<rest>.+)$";
pub(super) const DISLIKES: &str =
    r"(?ix)^i\ (?:really\ )?(?:hate|dislike|can['’]?t\ stand|don['’]?t\ like|do\ not\ like)\ (?P<rest>.+)$";
pub(super) const HABIT: &str = r"(?ix)^i\ (?:always|never|usually|typically|normally)\ (?P<rest>[a-z][\w'’-]+\ .+)$";
pub(super) const ABOUT_ME: &str = r"(?x)^(?:
      (?i:my\ (?:name|role|job|job\ title|title|time\ ?zone|pronouns|native\ language|first\ language|mother\ tongue|editor|shell|os|operating\ system|keyboard\ layout|(?:preferred|favou?rite)\ [\w\ -]{2,40}?)\ (?:is|are)\ .+)
    | (?i:call\ me)\ \p{Lu}\w+.*
    | (?i:i(?:['’]m|\ am|\ work\ as)\ (?:an?|the)\ (?:[\w/+\#.-]+\ ){0,5}?(?:engineer|developer|programmer|designer|scientist|analyst|manager|student|teacher|researcher|architect|consultant|administrator|admin|lead|founder|writer|nurse|doctor|lawyer|accountant|pm|sre|cto|ceo|dba|maintainer|freelancer|beginner)\b.*)
    | (?i:i\ (?:use|type\ on|work\ (?:on|in|with))\ .*\b(?:keyboard|editor|vim|neovim|emacs|vs\ ?code|intellij|zed|helix|tmux|zsh|fish|screen\ reader|macos|linux|windows|nixos|dvorak|colemak|terminal|layout)\b.*)
    | (?i:i\ speak\ \p{L}+.*) | (?i:i\ live\ in\ .+)
    )$";
/// The person, in other languages; none of them points at something near.
pub(super) const PERSON_ELSEWHERE: &str = r"(?ix)^(?:
      (?:ich\ (?:bevorzuge|mag\ lieber)|je\ préfère|(?:yo\ |eu\ )?prefi(?:ero|ro)|(?:io\ )?preferisco|я\ предпочитаю)\ (?P<rest>.+)
    | 我(?:更|比较|比較)?(?:喜欢|喜歡|偏好|倾向于)(?P<chinese>[^这那它這].+) | 私は(?P<japanese>.+)(?:が好き(?:です)?|を好みます)。?
    )$";

/// How agents should work.
pub(super) const ORDER: &str = r"(?ix)^(?:you\ (?:should|must|need\ to|have\ to)\ )?(?P<word>always|never)\ (?P<verb>[a-z][\w'’-]*)\ (?P<rest>.+)$";
pub(super) const ORDER_WHEN: &str = r"(?ix)^(?:when(?:ever)?|if\ you|before|after|for|in|with)\ (?P<when>[^,]{2,80}),\ (?:please\ )?(?:you\ (?:should|must)\ )?(?P<word>always|never)\ (?P<verb>[a-z][\w'’-]*)\ (?P<rest>.+)$";
pub(super) const ORDER_EVER: &str = r"(?ix)^(?:don['’]?t|do\ not)\ ever\ (?P<verb>[a-z][\w'’-]*)\ (?P<rest>.+)$";
pub(super) const HENCEFORTH: &str = r"(?ix)^(?:from\ (?:now|here)\ on(?:\ out)?|going\ forward|henceforth|in\ (?:the\ )?future|from\ today\ on)\s*,?\ (?P<said>.+)$";
pub(super) const HENCEFORTH_END: &str =
    r"(?ix)^(?P<said>[a-z].+?),?\ (?:from\ (?:now|here)\ on(?:\ out)?|going\ forward|henceforth)[.!]*$";
pub(super) const STOP: &str = r"(?ix)^(?:stop|quit|avoid)\ \w+ing\b.*\b(?:every|each|always|all|any|your\ (?:answers|replies|responses|messages))\b.*$";
pub(super) const ORDER_ELSEWHERE: &str = r"(?ix)^(?:
      (?:ab\ jetzt|von\ (?:nun|jetzt)\ an|künftig|in\ zukunft)\s*,?\ .+ | (?:verwende|benutze|nutze|schreibe?|antworte|frage?)\ (?:bitte\ )?(?:immer|nie|niemals)\ .+
    | (?:désormais|dorénavant|à\ partir\ de\ maintenant)\s*,?\ .+ | n['’e]\ ?\p{L}+\ jamais\ .+ | \p{L}+(?:e|s|z)\ toujours\ .+
    | (?:a\ partir\ de\ ahora|de\ ahora\ en\ adelante|a\ partir\ de\ agora|d['’]ora\ in\ poi)\s*,?\ .+
    | (?:siempre\ (?:usa|escribe|responde|ejecuta|pregunta)|nunca\ (?:uses|escribas|respondas|ejecutes|borres))\ .+
    | (?:отныне|впредь|с\ этого\ момента)\s*,?\ .+ | (?:всегда|никогда\ не)\ \p{L}+(?:й|йте|ь|ьте)\ .+
    | (?:请|請)?(?:以后|以後|今后|今後|从现在(?:开始|起)|從現在起|总是|總是|始终|始終|永远不要|永遠不要|绝不要|不要再).+ | (?:今後は|これからは).+
    )$";

/// The project.
/// What was put off, or is only pointed at, is no decision yet.
pub(super) const UNDECIDED: &str = r"(?ix)\b(?:later|at\ some\ point|eventually|another\ time|some\ ?day|sometime)[.!]*$
    | ^(?:to|that\ we(?:\ should|['’]ll)?|on|against|for|not\ to)\ (?:[\w-]+\ )?(?:it|this|that|them|these|those)\b
    | ^on\ (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|something|nothing|everything|one)[.!]*$";
pub(super) const DECIDED: &str = r"(?ix)^(?:we|the\ \w+(?:\ team)?|our\ (?:\w+\ )?(?:team|company|group|squad|department|board|client|customer|cto|ceo|lead|manager|organi[sz]ation|designers|developers|lawyers)|everyone|everybody|management|legal|product|leadership|it\ was)(?:['’]ve|\ have|\ has|\ had)?(?:\ all|\ just|\ already|\ finally)?\ (?:decided|agreed|chose|settled|opted|committed|voted|ruled)\ (?P<rest>.+)$";
pub(super) const OURS: &str = r"(?ix)^our\ (?:[\w-]+\ ){0,3}?(?:policy|convention|rule|standard|agreement|process|deadline|goal|release\ date|release\ window|code\ freeze|sla|target|naming\ scheme)\ (?:[\w\ -]{0,40}?\ )?(?:is|are)\ .+$";
pub(super) const DATED: &str = r"(?ix)^the\ (?:[\w-]+\ ){0,3}?(?:deadline|due\ date|release\ date|launch\ date|launch|cut-?off|code\ freeze|go-live|release)\b[^.]{0,80}?\b(?:is|are|moved\ to|moves\ to|falls\ on|starts\ on|ends\ on)\ [^.]*(?:\d|january|february|march|april|may|june|july|august|september|october|november|december).*$";
pub(super) const DECIDED_ELSEWHERE: &str = r"(?ix)^(?:
      wir\ haben\ (?:uns\ )?.*\b(?:entschieden|beschlossen|vereinbart|geeinigt)\b.* | (?:nous\ avons|on\ a)\ (?:décidé|choisi|convenu)\ .+
    | (?:hemos\ (?:decidido|acordado)|decidimos|acordamos|combinamos|ficou\ decidido)\ .+ | abbiamo\ (?:deciso|concordato)\ .+
    | мы\ (?:решили|договорились)\ .+ | (?:我们|我們)(?:已经|已經)?(?:决定|決定|商定|约定|約定).+ | .+(?:ことに(?:決め|し)ました|に決めました)。?
    )$";

/// Where things are.
pub(super) const PLACE: &str = r"(?ix)^(?:the|our|all|my|every)?\s*(?:[\w'’/&-]+\ ){0,6}?
      (?:dashboards?|tracker|boards?|wiki|docs|documentation|runbooks?|playbooks?|channel|backlog|specs?|design\ docs?|calendar|status\ page|repo(?:sitory)?|roadmap|metrics|logs|alerts|schedule|portal|registry|grafana|kibana|jira|figma|notion|confluence|sentry|postmortems?|changelog|handbook)
      \b[^.?!]{0,60}?\b(?:is|are|lives?|sits?|stay|stays|can\ be\ found)\b(?:[^.?!]{0,40}?(?:https?://\S+|\#[a-z][\w-]+)|\ (?:at|on|under)\ (?:[a-z0-9-]+\.)+[a-z]{2,}(?:[:/]\S*)?(?:[.,;!\s]|$)).*$";
pub(super) const TRACKED: &str = r"(?x)^(?i:(?:the|our|all)?\s*(?:[\w'’-]+\ ){0,4}?(?:bugs|issues|tickets|incidents|tasks|requests|features|outages|feedback|complaints|decisions|designs)(?:\ (?:from|of|in|about|by)\ [^.,]{1,40}?)?\ (?:are|is)\ (?:all\ )?(?:tracked|filed|reported|collected|kept|logged|recorded)\ (?:in|at|on|under)\ )(?:.*(?:https?://|\#[a-z]|\b\p{Lu}).*)$";

/// "always" and "never" before one of these are no order.
pub(super) const NO_ORDER: &[&str] = &[
    "mind",
    "been",
    "seen",
    "had",
    "have",
    "has",
    "got",
    "get",
    "nice",
    "good",
    "great",
    "happy",
    "fun",
    "on",
    "off",
    "in",
    "at",
    "the",
    "a",
    "an",
    "this",
    "that",
    "there",
    "same",
    "so",
    "too",
    "more",
    "like",
    "a-",
    "again",
    "heard",
    "was",
    "were",
    "is",
    "are",
    "did",
    "does",
    "knew",
    "thought",
    "said",
    "worked",
    "happened",
    "true",
    "false",
    "null",
    "none",
    "one",
    "two",
    "just",
    "only",
    "my",
    "your",
    "their",
    "its",
    "with",
    "without",
    "when",
    "to",
    "and",
    "or",
    "because",
    "wrong",
    "right",
    "ready",
    "came",
    "went",
    "ran",
    "took",
    "made",
    "told",
    "gave",
    "broke",
    "found",
    "felt",
    "kept",
    "left",
    "lost",
    "met",
    "sent",
    "spoke",
    "understood",
    "wrote",
    "fell",
    "saw",
    "fear",
    "say",
];
/// "I always" and "I never" before one of these is a complaint, or no habit.
pub(super) const NO_HABIT: &[&str] = &[
    "forget",
    "get",
    "got",
    "see",
    "saw",
    "seen",
    "mix",
    "confuse",
    "remember",
    "know",
    "knew",
    "understand",
    "understood",
    "thought",
    "think",
    "hear",
    "heard",
    "end",
    "run",
    "have",
    "had",
    "wanted",
    "want",
    "said",
    "say",
    "meant",
    "asked",
    "did",
    "do",
    "was",
    "feel",
    "found",
    "find",
    "liked",
    "loved",
    "wondered",
    "wonder",
    "assumed",
    "expected",
    "noticed",
    "tried",
    "used",
    "met",
    "miss",
    "mess",
    "struggle",
    "been",
    "am",
    "could",
    "would",
    "can",
    "will",
    "even",
    "really",
    "touched",
    "changed",
    "got",
];
/// What a preference may not be of: something that only the two of them see.
pub(super) const NEAR_BY: &[&str] = &[
    "it", "this", "that", "these", "those", "your", "yours", "mine", "ours", "theirs", "his", "hers", "option", "how",
    "them", "version", "b", "both", "neither", "either", "none", "nothing", "all", "later", "former", "latter",
    "first", "second", "same", "so", "such",
];
/// What says nothing alone, and may point at something: it does not before a noun of its own.
pub(super) const ARTICLES: &[&str] = &["the", "a", "an", "one", "to", "not"];
/// One of several that were just shown: "I prefer the shorter version".
pub(super) const SHOWN: &str = r"(?ix)^(?:the\ (?:[\w'’-]+\ ){0,3}?|an?\ (?:different|[a-z]+er)\ )(?:one|ones|version|approach|option|variant|solution|idea|way|name|wording|suggestion|implementation|proposal|draft|alternative|snippet|function|fix|change|patch|plan|answer|design)s?\b
    | ^the\ (?:other|same|new|old|last|latest|previous|next|current|left|right|top|bottom|[a-z]+er|[a-z]+est)[.!]*$ | ^one\ of\b";
