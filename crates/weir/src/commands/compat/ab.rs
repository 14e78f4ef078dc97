//! `weir ab`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use experiment::Address;
use load::{Body, Check, Demand, Expected, Request, Status};
use record::{Load, LoadSpec, Protocol, Target};
use report::compat::Ab;

use super::ending::Tool;
use super::probe::{self, Seen};
use super::{job, no_json, refused, request, tls};
use crate::args::{AbArgs, as_ab};
use crate::error::{Error, Exit, Result};
use crate::files;
use crate::input;
use crate::invocation::{Invocation, VERSION};
use crate::mask;
use crate::output::print;

pub(crate) fn run(args: &AbArgs, invocation: &Invocation) -> Result<Exit> {
    apply(args, invocation).map_err(|error| Tool::Ab.error(error))
}

fn apply(args: &AbArgs, invocation: &Invocation) -> Result<Exit> {
    if args.version {
        print(&format!(
            "This is weir {VERSION}, which takes the command line of ApacheBench\n"
        ))?;
        return Ok(Exit::Done);
    }
    no_json(invocation)?;
    if let Some((option, why)) = args.refused.first() {
        return Err(refused(option, why));
    }
    if args.timelimit.is_none() && u64::from(args.concurrency) > args.requests {
        let message = "cannot use a concurrency level greater than the number of requests";
        return Err(Error::new(Exit::Usage, message).hint("raise -n, or lower -c".to_owned()));
    }
    let place = place(args)?;
    let body = body(args)?;
    let request = Request {
        body: body.clone().unwrap_or_default(),
        ..request(&place, method(args), &place.headers(&headers(args)))
    };
    let cores = invocation.host().cores;
    let load = load(args, &place, cores)?;
    let answer = probe::ask(&place, &request, &load).map_err(|why| Tool::Ab.failed(why))?;
    talk(args.verbosity, &answer)?;
    let server = answer.header("server").unwrap_or_default();
    let port = match &place.target {
        Target::Tcp(address) => address.port(),
        Target::Unix(_) => 0,
    };
    let host = wire::host_and_port(&place.host).0.to_owned();
    let path = place.path.clone();
    let of = Ab {
        server,
        host: &host,
        port,
        path: &path,
        length: answer.length,
        posts: body.is_some(),
        keep_alive: args.keep_alive,
        percentiles: !args.no_percentiles,
        deviations: !args.no_deviations,
    };
    let job = job(place, request, expected(args, &answer), load, cores);
    let facts = experiment::observed_load(&job, invocation.interrupted(), &mut |_| {})
        .map_err(|why| Tool::Ab.failed(why))?;
    print(&format!(
        "This is weir {VERSION}, in the format of ApacheBench 2.3\n\n\
         Benchmarking {host} (be patient).....done\n\n\n"
    ))?;
    print(&report::compat::ab(&of, &facts))?;
    write_csv(args, &facts)?;
    Ok(Tool::Ab.end(&facts, invocation))
}

/// ab speaks HTTP/1.0, and asks by a header for a connection that is kept.
fn place(args: &AbArgs) -> Result<Address> {
    let typed = args.url.as_str();
    // ab takes a host without a scheme, which `Url` takes for a scheme
    let bare = !typed.contains("://") && !typed.contains("+unix:");
    let scheme = if bare { "http://" } else { "" };
    let place = Address::parse(&format!("{scheme}{typed}"))?;
    if place.protocol != Protocol::Http1 {
        let why = "ab speaks HTTP alone; `weir bench` speaks it";
        return Err(refused(&mask::url(&args.url), why));
    }
    Ok(Address {
        protocol: Protocol::Http10,
        ..place.reached()
    })
}

fn write_csv(args: &AbArgs, facts: &record::LoadFacts) -> Result<()> {
    if let Some(file) = &args.csv {
        files::write(file, &report::compat::ab_csv(facts)).map_err(|error| {
            let what = format!("`{}`", file.display());
            Error::unwritten(
                &what,
                &error,
                Exit::Usage,
                "name a place that you may write to",
            )
        })?;
    }
    Ok(())
}

/// The answers are to be as long as the first one; ab counts statuses apart, and as no failures.
fn expected(args: &AbArgs, answer: &Seen) -> Expected {
    let length = Check {
        name: "length".to_owned(),
        demand: Demand::Length(answer.length),
    };
    Expected {
        checks: if args.lengths { vec![] } else { vec![length] },
        ..Expected::new(Status::Any, Body::Any)
    }
}

/// ab tells this of every answer; of the load's own there would be no end.
fn talk(verbosity: u32, answer: &Seen) -> Result<()> {
    if verbosity >= 2 {
        let fields = answer.fields.trim_end();
        print(&format!("LOG: header received:\n{fields}\n"))?;
    }
    if verbosity >= 3 {
        print(&format!("LOG: Response code = {}\n", answer.status))?;
    }
    Ok(())
}

/// What `-p` or `-u` name.
fn body(args: &AbArgs) -> Result<Option<Vec<u8>>> {
    let Some(file) = args.post.as_ref().or(args.put.as_ref()) else {
        return Ok(None);
    };
    input::read(file).map(Some)
}

fn method(args: &AbArgs) -> &str {
    match &args.method {
        Some(method) => method,
        None if args.head => "HEAD",
        None if args.post.is_some() => "POST",
        None if args.put.is_some() => "PUT",
        None => "GET",
    }
}

fn headers(args: &AbArgs) -> Vec<(String, String)> {
    let basic = |name: &str, who: &Option<String>| {
        let who = who.as_ref()?;
        Some((name.to_owned(), format!("Basic {}", STANDARD.encode(who))))
    };
    let cookies = (!args.cookie.is_empty()).then(|| ("Cookie".to_owned(), args.cookie.join("; ")));
    let made = [
        basic("Authorization", &args.auth),
        basic("Proxy-Authorization", &args.proxy_auth),
        cookies,
    ];
    let mut headers: Vec<(String, String)> = args.header.clone();
    headers.extend(made.into_iter().flatten());
    let content_type = args.content_type.as_deref().unwrap_or("text/plain");
    let posts = args.post.is_some() || args.put.is_some();
    // What ab sends of its own accord, unless it is told otherwise.
    for (name, value) in [("User-Agent", "ApacheBench/2.3"), ("Accept", "*/*")]
        .into_iter()
        .chain(posts.then_some(("Content-Type", content_type)))
    {
        let given = |(own, _): &(String, String)| own.eq_ignore_ascii_case(name);
        if !headers.iter().any(given) {
            headers.push((name.to_owned(), value.to_owned()));
        }
    }
    headers
}

fn load(args: &AbArgs, place: &Address, cores: u32) -> Result<Load> {
    let spec = LoadSpec {
        connections: Some(args.concurrency),
        requests: args.timelimit.is_none().then_some(args.requests),
        seconds: args.timelimit.map(f64::from),
        keep_alive: Some(args.keep_alive),
        timeout: Some(f64::from(args.timeout)),
        sources: Some(args.address.into_iter().collect()),
        ..LoadSpec::default()
    };
    let load = spec.resolve(cores, 1);
    Ok(Load {
        tls: tls(place).map(|tls| args.tls.settings(tls)),
        ..load.map_err(|flaw| Error::of_load(&flaw, as_ab))?
    })
}
